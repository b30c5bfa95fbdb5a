import { useTexts } from "../language/catalogue.js";
import { Field } from "../ui/field.js";
import { Select } from "../ui/select.js";
import { SETUP_TEXTS } from "./messages.js";

/** The roles, the one with the fewest rights first. */
const ROLES = ["viewer", "support", "finance", "admin"] as const;

/** The rights of an operator as the form has them. */
export interface TypedRights {
  readonly role: (typeof ROLES)[number];
  /** Ids separated by commas. Empty for every app. */
  readonly apps: string;
}

/** Returns the rights for the API. */
export function rightsOf({ role, apps }: TypedRights) {
  const ids = apps
    .split(/[\s,，]+/)
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return { role, ...(ids.length === 0 ? {} : { apps: ids }) };
}

interface RightsFieldsProps {
  readonly value: TypedRights;
  readonly onChange: (value: TypedRights) => void;
}

/** The fields for the role and the apps of an operator. */
export function RightsFields({ value, onChange }: RightsFieldsProps) {
  const texts = useTexts(SETUP_TEXTS);
  return (
    <>
      <Select
        label={texts.role}
        value={value.role}
        choices={ROLES.map((role) => ({ value: role, label: texts[role] }))}
        onChange={(chosen) => onChange({ ...value, role: ROLES.find((role) => role === chosen) ?? "viewer" })}
      />
      <Field
        label={texts.limitedApps}
        help={texts.limitedAppsHelp}
        value={value.apps}
        onChange={(apps) => onChange({ ...value, apps })}
      />
    </>
  );
}
