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
}

/** A labelled text field with its help and its error. */
export function Field({ label, help, rows, ...props }: FieldProps) {
  return (
    <TextField className="field" {...props}>
      <Label>{label}</Label>
      {rows === undefined ? <Input /> : <TextArea rows={rows} />}
      {help !== undefined && (
        <Text slot="description" className="muted">
          {help}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  );
}
