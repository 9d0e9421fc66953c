// Findings in groups: errors first, and those of one rule together.

import type { FindingData, Severity } from "./model";

/** The findings of one rule with one severity. */
export interface FindingGroup {
  readonly code: string;
  readonly severity: Severity;
  readonly findings: readonly FindingData[];
}

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** Rules that explain a picture in which the parts do not fit together, and how the page shows them whole. */
export const REMEDIES: Readonly<Record<string, string>> = {
  "up-axis-ignored": "Parts that look turned: press “Meshes” above the scene.",
};

/**
 * Group findings by severity and rule: first what explains the picture, then errors, then by the order of their
 * first findings.
 */
export function grouped(findings: readonly FindingData[]): FindingGroup[] {
  const explains = ({ code }: FindingData): boolean => code in REMEDIES;
  return [...groupsOf(findings.filter(explains)), ...groupsOf(findings.filter((each) => !explains(each)))];
}

function groupsOf(findings: readonly FindingData[]): FindingGroup[] {
  const groups = new Map<string, FindingData[]>();
  for (const severity of SEVERITIES) {
    for (const finding of findings) {
      if (finding.severity === severity) {
        const key = `${severity} ${finding.code}`;
        const group = groups.get(key);
        if (group) {
          group.push(finding);
        } else {
          groups.set(key, [finding]);
        }
      }
    }
  }
  return [...groups.values()].map((each) => ({ code: each[0]!.code, severity: each[0]!.severity, findings: each }));
}
