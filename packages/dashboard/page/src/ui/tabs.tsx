import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { useCurrentInView } from "./use-current-in-view.js";

/** Links between the parts of a view. Each part has its own address. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const { searchStr } = useLocation();
  const bar = useRef<HTMLElement>(null);
  useCurrentInView(bar, searchStr);
  return (
    <nav className="tabs" aria-label={label} ref={bar}>
      {children}
    </nav>
  );
}
