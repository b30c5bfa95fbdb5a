import type { ReactNode } from "react";

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  /** What the number is compared with. */
  readonly children?: ReactNode;
}

/** A number with its name, inside of a `dl`. */
export function Figure({ name, value, children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="figure-value">{value}</dd>
      {children !== undefined && <dd className="muted">{children}</dd>}
    </div>
  );
}
