import { FILTER_TEXTS } from "../filters/messages.js";
import { useTexts } from "../language/catalogue.js";
import { useSession } from "../session/session-context.js";
import { Select } from "../ui/select.js";
import { SETUP_TEXTS } from "./messages.js";

interface AppChoiceProps {
  readonly value: string;
  readonly onChange: (appId: string) => void;
}

/** A choice of one app that the operator sees. */
export function AppChoice({ value, onChange }: AppChoiceProps) {
  const texts = useTexts(SETUP_TEXTS);
  const filters = useTexts(FILTER_TEXTS);
  const { apps } = useSession();
  const choices = apps.map(({ appId, name }) => ({ value: appId, label: name }));
  const isKnown = value === "" || choices.some((choice) => choice.value === value);
  return (
    <Select
      label={texts.app}
      value={value}
      choices={choices}
      onChange={onChange}
      problem={isKnown ? undefined : filters.choice(value)}
    />
  );
}
