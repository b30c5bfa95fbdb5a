import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { Checkbox } from "../ui/checkbox.js";
import { Select } from "../ui/select.js";
import { ROLE_TEXTS } from "../session/role-names.js";
import { SETUP_TEXTS } from "./messages.js";

/** The roles, the one with the fewest rights first. */
const ROLES = ["viewer", "support", "finance", "admin"] as const;

/** The rights of an operator as the form has them. */
export interface TypedRights {
  readonly role: (typeof ROLES)[number];
  /** Whether the operator sees only `apps`. */
  readonly isLimited: boolean;
  /** The ids of the chosen apps. */
  readonly apps: readonly string[];
}

/** Returns the rights for the API. */
export function rightsOf({ role, isLimited, apps }: TypedRights) {
  return { role, ...(isLimited && { apps: [...apps] }) };
}

interface RightsFieldsProps {
  readonly value: TypedRights;
  readonly onChange: (value: TypedRights) => void;
}

/** The fields for the role and the apps of an operator. Apps are chosen by their name. */
export function RightsFields({ value, onChange }: RightsFieldsProps) {
  const texts = useTexts(SETUP_TEXTS);
  const roles = useTexts(ROLE_TEXTS);
  const { apps } = useSession();
  const choose = (appId: string, isChosen: boolean) => {
    const others = value.apps.filter((one) => one !== appId);
    onChange({ ...value, apps: isChosen ? [...others, appId] : others });
  };
  return (
    <>
      <Select
        label={texts.role}
        value={value.role}
        choices={ROLES.map((role) => ({ value: role, label: roles[role] }))}
        onChange={(chosen) => onChange({ ...value, role: ROLES.find((role) => role === chosen) ?? "viewer" })}
      />
      <Select
        label={texts.apps}
        value={value.isLimited ? "some" : "all"}
        choices={[
          { value: "all", label: texts.allApps },
          { value: "some", label: texts.someApps },
        ]}
        onChange={(chosen) => onChange({ ...value, isLimited: chosen === "some" })}
      />
      {value.isLimited && (
        <fieldset className="choices">
          <legend>{texts.seesApps}</legend>
          {apps.map(({ appId, name }) => (
            <Checkbox
              key={appId}
              label={name}
              isChecked={value.apps.includes(appId)}
              onChange={(isChosen) => choose(appId, isChosen)}
              // An operator who is limited to apps needs at least one app.
              required={value.apps.length === 0}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
