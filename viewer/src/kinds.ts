// Joint kinds as records, as those of the library (model/joint_kind.py).

export type JointKind =
  | "fixed" | "revolute" | "prismatic" | "screw" | "ball" | "universal" | "planar" | "free" | "track";

export interface KindRecord {
  /** Number of positions. */
  readonly size: number;
  /** Whether the last four positions are a quaternion. */
  readonly quaternion: boolean;
  /** Whether the limits bound each position. */
  readonly bounded: boolean;
  /** Whether all positions are angles. */
  readonly angular: boolean;
  /** Whether a full turn brings the child back to its pose. */
  readonly periodic: boolean;
}

function record(size: number, more: Partial<KindRecord> = {}): KindRecord {
  return { size, quaternion: false, bounded: false, angular: false, periodic: false, ...more };
}

export const KINDS: Readonly<Record<JointKind, KindRecord>> = {
  fixed: record(0),
  track: record(0),
  revolute: record(1, { bounded: true, angular: true, periodic: true }),
  prismatic: record(1, { bounded: true }),
  screw: record(1, { bounded: true, angular: true }),
  universal: record(2, { bounded: true, angular: true, periodic: true }),
  planar: record(3, { periodic: true }),
  ball: record(4, { quaternion: true, periodic: true }),
  free: record(7, { quaternion: true, periodic: true }),
};
