import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { catalogue, useTexts } from "../language/catalogue.js";
import { AppDialog } from "./app-dialog.js";
import { Copyable } from "./copyable.js";
import { UI_TEXTS } from "./messages.js";

const TEXTS = catalogue(
  {
    warning: "Press Escape again if you have stored the secret. It cannot be shown again.",
    help: "Copy it now. It is not shown again, and cannot be looked up later.",
    done: "I have stored it",
    missing:
      "The change was made, but its secret could not be shown, because the first answer was lost. The secret cannot be looked up. Make a new one.",
  },
  {
    warning: "如已保存，请再按一次 Esc 关闭。之后无法再次显示。",
    help: "请立即复制。之后任何页面都不会再显示，也无法查询。",
    done: "我已保存",
    missing: "操作已完成，但首次应答丢失，密钥或密码无法显示，也无法查询。请重新生成。",
  },
);

interface SecretDialogProps {
  readonly title: string;
  /** Whether the change that created the secret was made. */
  readonly isOpen: boolean;
  /** Absent if the answer that contained the secret was lost. */
  readonly secret: string | undefined;
  /** A button or a link that leads to a new secret, if this secret was lost. */
  readonly renewal: ReactNode;
  readonly onClose: () => void;
  /** What belongs to the secret, such as the id of an app. */
  readonly children?: ReactNode;
}

/**
 * Shows a secret once. If the secret was lost, shows how to get a new one.
 *
 * Escape asks first, so that the secret is not lost by accident.
 */
export function SecretDialog({ title, isOpen, secret, renewal, onClose, children }: SecretDialogProps) {
  const texts = useTexts(TEXTS);
  const ui = useTexts(UI_TEXTS);
  const [isWarned, setWarned] = useState(false);
  const close = () => {
    setWarned(false);
    onClose();
  };
  const isSafe = isWarned || secret === undefined;
  return (
    <AppDialog title={title} isOpen={isOpen} onClose={() => (isSafe ? close() : setWarned(true))}>
      {secret === undefined ? (
        <>
          <p role="alert">{texts.missing}</p>
          <div className="dialog-actions">
            <Button className="button" onPress={close}>
              {ui.close}
            </Button>
            {renewal}
          </div>
        </>
      ) : (
        <>
          <p>{texts.help}</p>
          <p className="secret">
            <Copyable text={secret} />
          </p>
          {children}
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
        </>
      )}
    </AppDialog>
  );
}
