import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { catalogue, useTexts } from "../language/catalogue.js";

const TEXTS = catalogue({ apply: "Apply" }, { apply: "应用" });

interface FilterBarProps<Values> {
  /** The values of the address. */
  readonly shown: Values;
  readonly onChange: (values: Values) => void;
  /** Renders the fields. `type` applies a value with the form, `choose` at once. */
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

/** Filters above a list. They are part of the address. Use a `key` that changes with `shown`. */
export function FilterBar<Values extends Readonly<Record<string, string | undefined>>>({
  shown,
  onChange,
  children,
}: FilterBarProps<Values>) {
  const texts = useTexts(TEXTS);
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
