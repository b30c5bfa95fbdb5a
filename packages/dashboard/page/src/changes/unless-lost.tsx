import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import type { LostChange } from "../api/intentions.js";
import { focusNow } from "../app/focus.js";
import { useTexts } from "../language/catalogue.js";
import { UI_TEXTS } from "../ui/messages.js";
import { LostChangeNotice } from "./lost-change.js";

interface UnlessLostProps {
  readonly change: { readonly lost: LostChange | undefined; readonly resend: () => void };
  /** Closes the dialog of the change. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The form of a change, or what is known about the change while its answer is lost.
 *
 * The form stays mounted, with what the person typed.
 */
export function UnlessLost({ change: { lost, resend }, onClose, children }: UnlessLostProps) {
  const ui = useTexts(UI_TEXTS);
  return (
    <>
      <div hidden={lost !== undefined}>{children}</div>
      {lost !== undefined && (
        // The form is hidden, so the focus would leave the dialog.
        <div tabIndex={-1} ref={focusNow}>
          <LostChangeNotice lost={lost} onResend={resend} onKnown={onClose} />
          <div className="dialog-actions">
            <Button className="button" onPress={onClose}>
              {ui.close}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
