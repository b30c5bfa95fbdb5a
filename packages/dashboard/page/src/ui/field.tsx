import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from "react-aria-components";
import { focusNow } from "../app/focus.js";

interface FieldProps extends Omit<TextFieldProps, "children" | "autoFocus"> {
  readonly label: string;
  readonly help?: string | undefined;
  readonly rows?: number;
  /** Whether the field has the focus when it appears. */
  readonly isFocused?: boolean;
  readonly inputMode?: "numeric" | "decimal" | "text";
  /** Why the value of the address cannot be used. It does not block the form. */
  readonly problem?: string | undefined;
}

/** A labelled text field with its help and its error. */
export function Field({ label, help, rows, isFocused = false, problem, ...props }: FieldProps) {
  const isUnreadable = problem !== undefined;
  const focus = isFocused ? focusNow : null;
  return (
    <TextField
      className="field"
      {...(isUnreadable && { isInvalid: true, validationBehavior: "aria" })}
      {...props}
    >
      <Label>{label}</Label>
      {rows === undefined ? <Input ref={focus} /> : <TextArea ref={focus} rows={rows} />}
      {help !== undefined && (
        <Text slot="description" className="muted">
          {help}
        </Text>
      )}
      {isUnreadable ? (
        <FieldError className="field-error">{problem}</FieldError>
      ) : (
        <FieldError className="field-error" />
      )}
    </TextField>
  );
}
