import { useTexts } from "../language/catalogue.js";
import { Checkbox } from "../ui/checkbox.js";
import { switchLetterKeys, useLetterKeys } from "./letter-keys.js";
import { APP_TEXTS } from "./messages.js";

/** The switch for single keys, which disturb speech input and some keyboards. */
export function LetterKeysSwitch() {
  const texts = useTexts(APP_TEXTS);
  const isOn = useLetterKeys();
  return <Checkbox label={texts.letterKeys} isChecked={isOn} onChange={switchLetterKeys} />;
}
