import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import type { FilterProblems, ShownFilters } from "./filter-reader.js";
import { FILTER_TEXTS } from "./messages.js";

interface FilterBarProps<Values> {
  /** The values of the address. */
  readonly shown: Values;
  readonly problems: FilterProblems;
  /** Whether the fields are visible even without a filter, if the window is wide enough. */
  readonly isOpen?: boolean;
  readonly onChange: (values: Partial<Values>) => void;
  /**
   * Renders the fields. Bind a field with `type` or `day` if its value applies with the button, and
   * with `choose` if a change applies at once.
   */
  readonly children: (bindings: {
    readonly type: (name: keyof Values & string) => FilterBinding;
    readonly choose: (name: keyof Values & string) => FilterBinding;
    readonly day: (name: keyof Values & string) => DayBinding;
  }) => ReactNode;
}

/** The value of a field, what happens if the operator changes it, and why it cannot be read. */
export interface FilterBinding {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
}

/** A field for a day. A text that is no day can be seen and corrected. */
interface DayBinding extends FilterBinding {
  readonly type: "date" | "datetime-local" | "text";
}

/**
 * The filters above a list, which the address contains.
 *
 * The fields show the new values when the address changes, and keep the focus.
 */
export function FilterBar<Values extends ShownFilters>({
  shown,
  problems,
  isOpen = false,
  onChange,
  children,
}: FilterBarProps<Values>) {
  const texts = useTexts(FILTER_TEXTS);
  const [typed, setTyped] = useState(shown);
  const address = JSON.stringify(shown);
  const [lastAddress, setLastAddress] = useState(address);
  if (address !== lastAddress) {
    setLastAddress(address);
    setTyped(shown);
  }
  const problemOf = (name: keyof Values & string) => {
    const problem = problems[name];
    if (problem === undefined) return undefined;
    return typeof problem === "object" ? problem.text : texts[problem](shown[name]?.trim() ?? "");
  };
  const type = (name: keyof Values & string): FilterBinding => ({
    value: typed[name] ?? "",
    onChange: (value) => setTyped({ ...typed, [name]: value }),
    problem: problemOf(name),
  });
  const [hasRoom] = useState(() => matchMedia("(width >= 960px)").matches);
  const isUsed = Object.values(shown).some((value) => value !== undefined && value !== "");
  return (
    <details className="filters" open={(isOpen && hasRoom) || isUsed || undefined}>
      <summary>{texts.filters}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange(typed);
        }}
      >
        {children({
          type,
          choose: (name) => ({
            value: typed[name] ?? "",
            onChange: (value) => onChange({ ...typed, [name]: value }),
            problem: problemOf(name),
          }),
          day: (name) => ({ ...type(name), type: dayType(shown[name], problems[name] === "day") }),
        })}
        <div className="filter-actions">
          <Button className="button" type="submit">
            {texts.apply}
          </Button>
          {isUsed && (
            <Button className="button quiet" onPress={() => onChange({})}>
              {texts.clear}
            </Button>
          )}
        </div>
      </form>
    </details>
  );
}

/** Returns the type of the field. A link may contain a time of day or a text that is no day. */
function dayType(text: string | undefined, isUnreadable: boolean): DayBinding["type"] {
  if (isUnreadable) return "text";
  return text?.includes("T") === true ? "datetime-local" : "date";
}
