import { useId } from "react";
import { FILTER_TEXTS } from "../filters/messages.js";
import { useTexts } from "../language/catalogue.js";

/** A choice of a {@link Select}. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
  /** Why the value of the address is none of the choices. */
  readonly problem?: string | undefined;
}

/** The browser's own list of choices, which works on every device and with every screen reader. */
export function Select({ label, value, choices, onChange, problem }: SelectProps) {
  const texts = useTexts(FILTER_TEXTS);
  const id = useId();
  const problemId = useId();
  const isUnreadable = problem !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        {...(isUnreadable && { "aria-invalid": true, "aria-describedby": problemId })}
      >
        {isUnreadable && <option value={value}>{texts.unknown(value)}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {isUnreadable && (
        <span id={problemId} className="field-error">
          {problem}
        </span>
      )}
    </div>
  );
}
