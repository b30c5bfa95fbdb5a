import { useTexts } from "../language/catalogue.js";
import { AppDialog } from "../ui/app-dialog.js";
import { LetterKeysSwitch } from "./letter-keys-switch.js";
import { APP_TEXTS } from "./messages.js";

/** The list of keys. */
export function HelpDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const texts = useTexts(APP_TEXTS);
  const rows = [
    [["/"], texts.keySearch],
    [["g", "t"], texts.keyToday],
    [["g", "o"], texts.keyOrders],
    [["j", "k"], texts.keyRows],
    [["Enter"], texts.keyOpen],
    [["?"], texts.keyHelp],
  ] as const;
  return (
    <AppDialog title={texts.help} isOpen={isOpen} onClose={onClose} isDismissable>
      <dl className="keys">
        {rows.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <LetterKeysSwitch />
    </AppDialog>
  );
}
