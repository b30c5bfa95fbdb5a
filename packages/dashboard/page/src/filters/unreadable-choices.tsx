import { useTexts } from "../language/catalogue.js";
import type { FilterProblems, ShownFilters } from "./filter-reader.js";
import { FILTER_TEXTS } from "./messages.js";

interface UnreadableChoicesProps {
  /** What the address contains. */
  readonly shown: ShownFilters;
  readonly problems: FilterProblems;
}

/** The notice beside tabs if the address names none of the tabs. */
export function UnreadableChoices({ shown, problems }: UnreadableChoicesProps) {
  const texts = useTexts(FILTER_TEXTS);
  const names = Object.keys(problems);
  if (names.length === 0) return null;
  return (
    <div className="field-error" role="alert">
      {names.map((name) => (
        <p key={name}>
          {name}: {texts.choice(shown[name] ?? "")}
        </p>
      ))}
    </div>
  );
}
