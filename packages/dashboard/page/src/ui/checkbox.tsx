import type { InputHTMLAttributes } from "react";

interface CheckboxProps extends Pick<InputHTMLAttributes<HTMLInputElement>, "required"> {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** A choice of yes or no, with its label. */
export function Checkbox({ label, isChecked, onChange, ...rest }: CheckboxProps) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
        {...rest}
      />
      {label}
    </label>
  );
}
