import type { ReactNode } from "react";

/** Links between the parts of a view. Each part has its own address. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}
