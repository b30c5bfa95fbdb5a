import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { focusLostFocus } from "../app/focus.js";
import { useTexts } from "../language/catalogue.js";
import { UI_TEXTS } from "./messages.js";
import { InDialogContext, useOpenDialog } from "./open-dialogs.js";

interface AppDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called by Escape. A dialog with unsaved content may stay open and show why. */
  readonly onClose: () => void;
  /**
   * Whether a change is being sent. The dialog stays open until the answer arrives, and shows this.
   */
  readonly isBusy?: boolean;
  /** Whether a press outside closes it. Only for a dialog in which nothing is typed. */
  readonly isDismissable?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog above the page. The focus stays in the dialog, and returns to the view when it closes.
 */
export function AppDialog(props: AppDialogProps) {
  const { title, isOpen, onClose, isBusy = false, isDismissable = false, children } = props;
  const texts = useTexts(UI_TEXTS);
  const [isAsked, setAsked] = useState(false);
  useOpenDialog(isOpen);
  // The back button of the browser would remove the dialog before the answer arrives.
  useBlocker({
    shouldBlockFn: () => {
      setAsked(true);
      return true;
    },
    disabled: !isOpen || !isBusy,
    enableBeforeUnload: false,
  });
  useEffect(() => (isOpen ? focusLostFocus : undefined), [isOpen]);
  useEffect(() => {
    if (!isBusy) setAsked(false);
  }, [isBusy]);
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable={isDismissable}
      onOpenChange={(open) => {
        if (open) return;
        if (isBusy) setAsked(true);
        else onClose();
      }}
    >
      <Modal className="modal">
        <Dialog className="dialog">
          <Heading slot="title">{title}</Heading>
          <InDialogContext value>{children}</InDialogContext>
          <p role="status" className={isAsked ? "notice" : "visually-hidden"}>
            {isAsked ? texts.sending : ""}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
