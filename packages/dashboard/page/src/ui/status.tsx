import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.js";

/** The colour of a state. The word beside the colour has the same meaning. */
export type Tone = "good" | "waiting" | "bad" | "neutral";

const ICONS = { good: "check", waiting: "clock", bad: "alert", neutral: "cross" } as const satisfies Record<
  Tone,
  IconName
>;

interface StatusProps {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A state as an icon and a word. */
export function Status({ tone, icon = ICONS[tone], children }: StatusProps) {
  return (
    <span className={`status status-${tone}`}>
      <Icon name={icon} />
      {children}
    </span>
  );
}
