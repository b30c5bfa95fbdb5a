import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from "react-aria-components";

interface FieldProps extends Omit<TextFieldProps, "children"> {
  readonly label: string;
  readonly help?: string | undefined;
  readonly rows?: number;
  readonly inputMode?: "numeric" | "decimal" | "text";
  /** Why the value of the address cannot be used. It does not block the form. */
  readonly problem?: string | undefined;
}

/** A labelled text field with its help and its error. */
export function Field({ label, help, rows, problem, ...props }: FieldProps) {
  const isUnreadable = problem !== undefined;
  return (
    <TextField
      className="field"
      {...(isUnreadable && { isInvalid: true, validationBehavior: "aria" })}
      {...props}
    >
      <Label>{label}</Label>
      {rows === undefined ? <Input /> : <TextArea rows={rows} />}
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
