import { type ReactNode, useEffect, useState } from "react";
import { Button, Form } from "react-aria-components";
import type { Change } from "../api/use-change.js";
import { UnlessLost } from "../changes/unless-lost.js";
import { useTexts } from "../language/catalogue.js";
import { AppDialog } from "./app-dialog.js";
import { Failure } from "./failure.js";
import { Field } from "./field.js";
import { UI_TEXTS } from "./messages.js";

interface ReasonDialogProps {
  /** The text of the button that opens the dialog. */
  readonly action: string;
  /** The text of the button that confirms. Defaults to `action`. */
  readonly confirm?: string;
  readonly title: string;
  /** The label of the text. Defaults to the reason. */
  readonly label?: string;
  readonly change: Change<string, object>;
  /** Called when the dialog opens, so that its fields begin with what is stored now. */
  readonly onOpen?: () => void;
  /** Called when the dialog closes, also after the change. */
  readonly onClose?: () => void;
  /** Called once the change is made. */
  readonly onDone?: () => void;
  /** What will happen. */
  readonly children?: ReactNode;
  readonly className?: string;
  /** Whether the person has typed what the dialog asks for. Defaults to true. */
  readonly isConfirmed?: boolean;
}

/**
 * A button whose dialog asks for the reason of a change, and then makes the change.
 *
 * The first field of the dialog gets the focus.
 */
export function ReasonDialog({
  action,
  confirm = action,
  title,
  label,
  change,
  onOpen,
  onClose,
  onDone,
  children,
  className = "button",
  isConfirmed = true,
}: ReasonDialogProps) {
  const texts = useTexts(UI_TEXTS);
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  // The operator confirms again what others have started meanwhile. Without the empty field, a key
  // that is held would confirm it unread.
  const isOutdated = change.error?.failure === "refund.unseen-activity";
  useEffect(() => {
    if (isOutdated) setReason("");
  }, [isOutdated]);
  const open = () => {
    change.reset();
    setReason("");
    onOpen?.();
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    onClose?.();
  };
  return (
    <>
      <Button className={className} onPress={open}>
        {action}
      </Button>
      <AppDialog title={title} isOpen={isOpen} onClose={close} isBusy={change.isPending}>
        <UnlessLost change={change} onClose={close}>
          <Form
            ref={focusFirstField}
            onSubmit={(event) => {
              event.preventDefault();
              change.mutate(reason, {
                onSuccess: () => {
                  close();
                  onDone?.();
                },
              });
            }}
          >
            {children}
            <Field
              label={label ?? texts.reason}
              help={texts.reasonHelp}
              value={reason}
              onChange={setReason}
              maxLength={200}
              isRequired
            />
            {change.error !== null && <Failure error={change.error} />}
            <div className="dialog-actions">
              <Button className="button" onPress={close} isDisabled={change.isPending}>
                {texts.cancel}
              </Button>
              <Button
                className="button primary"
                type="submit"
                isPending={change.isPending}
                isDisabled={!isConfirmed}
              >
                {confirm}
              </Button>
            </div>
          </Form>
        </UnlessLost>
      </AppDialog>
    </>
  );
}

/** Moves the focus to the first field of a form that appears. */
function focusFirstField(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
}
