import { useState } from "react";
import { Button } from "react-aria-components";
import { catalogue, useTexts } from "../language/catalogue.js";
import { AppDialog } from "./app-dialog.js";
import { Copyable } from "./copyable.js";

const TEXTS = catalogue(
  {
    warning: "Press Escape again if you have stored it. It cannot be shown again.",
    help: "Copy it now. It is not shown again, and cannot be looked up later.",
    done: "I have stored it",
  },
  {
    warning: "如已保存，请再按一次 Esc 关闭。之后无法再次显示。",
    help: "请立即复制。之后任何页面都不会再显示，也无法查询。",
    done: "我已保存",
  },
);

interface SecretDialogProps {
  readonly title: string;
  /** Absent while there is nothing to show. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** Shows a secret once. Escape asks first, so that the secret is not lost by accident. */
export function SecretDialog({ title, secret, onClose }: SecretDialogProps) {
  const texts = useTexts(TEXTS);
  const [isWarned, setWarned] = useState(false);
  const close = () => {
    setWarned(false);
    onClose();
  };
  return (
    <AppDialog
      title={title}
      isOpen={secret !== undefined}
      onClose={() => (isWarned ? close() : setWarned(true))}
    >
      <p>{texts.help}</p>
      <p className="secret">
        <Copyable text={secret ?? ""} />
      </p>
      {isWarned && (
        <p role="status" className="notice">
          {texts.warning}
        </p>
      )}
      <div className="dialog-actions">
        <Button className="button primary" onPress={close}>
          {texts.done}
        </Button>
      </div>
    </AppDialog>
  );
}
