import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { useCurrentInView } from "../ui/use-current-in-view.js";
import type { ShownFilters } from "./filter-reader.js";

/** Filter values that one press sets. `undefined` removes a filter. */
export interface QuickChoice {
  readonly label: string;
  readonly values: Readonly<Record<string, string | undefined>>;
}

interface QuickChoicesProps {
  /** What the choices select, for screen readers. */
  readonly label: string;
  readonly shown: ShownFilters;
  readonly choices: readonly QuickChoice[];
}

/** Links that set frequently used filters. The other filters of the list stay. */
export function QuickChoices({ label, shown, choices }: QuickChoicesProps) {
  const bar = useRef<HTMLElement>(null);
  useCurrentInView(bar, JSON.stringify(shown));
  const isCurrent = ({ values }: QuickChoice) =>
    Object.entries(values).every(([name, value]) => (shown[name] ?? "") === (value ?? ""));
  return (
    <nav className="quick" aria-label={label} ref={bar}>
      {choices.map((choice) => (
        <Link
          key={choice.label}
          to="."
          search={({ before: _before, ...now }) => ({ ...now, ...choice.values })}
          // The router compares whole addresses, which may also contain a page of the list.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={isCurrent(choice) ? "page" : undefined}
        >
          {choice.label}
        </Link>
      ))}
    </nav>
  );
}
