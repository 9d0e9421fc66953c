// Findings in groups: errors first, what changes the picture before what is only text, those of one rule together.

import { type Effect, EFFECTS, type FindingData, type Severity } from "./model";

/** The findings of one rule with one severity and one effect. */
export interface FindingGroup {
  readonly code: string;
  readonly severity: Severity;
  readonly effect: Effect;
  readonly findings: readonly FindingData[];
}

export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** What findings change, in words. */
export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  picture: "changes the picture", motion: "changes the motion", mass: "changes masses", contact: "changes what collides",
  control: "changes drives and sensors", text: "",
};

/** Rules that explain a picture in which the parts do not fit together, and how the page shows them whole. */
export const REMEDIES: Readonly<Record<string, string>> = {
  "up-axis-ignored": "Parts that look turned: press “Meshes” above the scene.",
};

/**
 * Group findings by severity, effect and rule: first what explains the picture, then errors, each from what changes
 * the picture and the motion to what is only text, then by the order of their first findings.
 */
export function grouped(findings: readonly FindingData[]): FindingGroup[] {
  const explains = ({ code }: FindingData): boolean => code in REMEDIES;
  return [...groupsOf(findings.filter(explains)), ...groupsOf(findings.filter((each) => !explains(each)))];
}

function groupsOf(findings: readonly FindingData[]): FindingGroup[] {
  const groups = new Map<string, FindingData[]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.effect} ${finding.code}`;
    const group = groups.get(key);
    if (group) {
      group.push(finding);
    } else {
      groups.set(key, [finding]);
    }
  }
  const made = [...groups.values()].map((each): FindingGroup => {
    const { code, severity, effect } = each[0]!;
    return { code, severity, effect, findings: each };
  });
  const rank = ({ severity, effect }: FindingGroup): number =>
    SEVERITIES.indexOf(severity) * EFFECTS.length + EFFECTS.indexOf(effect);
  return made.sort((a, b) => rank(a) - rank(b));
}
