import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { UI_TEXTS } from "./messages.js";

interface FilterBarProps<Values> {
  /** The values of the address. */
  readonly shown: Values;
  readonly onChange: (values: Values) => void;
  /** Renders the fields. A field of `type` applies with the button, a field of `choose` at once. */
  readonly children: (bindings: {
    readonly type: (name: keyof Values) => Binding;
    readonly choose: (name: keyof Values) => Binding;
  }) => ReactNode;
}

/** The value of a field, and what happens if the operator changes it. */
interface Binding {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The filters above a list, which the address contains. Set a `key` that changes with `shown`. */
export function FilterBar<Values extends Readonly<Record<string, string | undefined>>>({
  shown,
  onChange,
  children,
}: FilterBarProps<Values>) {
  const texts = useTexts(UI_TEXTS);
  const [typed, setTyped] = useState(shown);
  return (
    <form
      className="filter-bar"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed);
      }}
    >
      {children({
        type: (name) => ({
          value: typed[name] ?? "",
          onChange: (value) => setTyped({ ...typed, [name]: value }),
        }),
        choose: (name) => ({
          value: typed[name] ?? "",
          onChange: (value) => onChange({ ...typed, [name]: value }),
        }),
      })}
      <Button className="button" type="submit">
        {texts.apply}
      </Button>
    </form>
  );
}
