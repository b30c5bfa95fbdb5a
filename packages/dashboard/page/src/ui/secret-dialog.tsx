import { Button } from "react-aria-components";
import { catalogue, useTexts } from "../language/catalogue.js";
import { AppDialog } from "./app-dialog.js";
import { Copyable } from "./copyable.js";

const TEXTS = catalogue(
  {
    help: "Copy it now. It is not shown again, and cannot be looked up later.",
    done: "I have stored it",
  },
  { help: "请立即复制。之后任何页面都不会再显示，也无法查询。", done: "我已保存" },
);

interface SecretDialogProps {
  readonly title: string;
  /** Absent while there is nothing to show. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** Shows a secret once. It closes only with its button, so that it is not lost by accident. */
export function SecretDialog({ title, secret, onClose }: SecretDialogProps) {
  const texts = useTexts(TEXTS);
  return (
    <AppDialog title={title} isOpen={secret !== undefined} onClose={onClose} isLocked>
      <p>{texts.help}</p>
      <p className="secret">
        <Copyable text={secret ?? ""} />
      </p>
      <div className="dialog-actions">
        <Button className="button primary" onPress={onClose}>
          {texts.done}
        </Button>
      </div>
    </AppDialog>
  );
}
