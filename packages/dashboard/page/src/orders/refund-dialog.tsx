import { useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { AppDialog } from "../ui/app-dialog.js";
import { REFUND_TEXTS } from "./refund-messages.js";
import { RefundForm } from "./refund-form.js";
import type { OrderPage } from "./queries.js";

interface RefundDialogProps {
  readonly page: OrderPage;
  /**
   * Whether the order can be refunded. If not, an open dialog still stays open to show the outcome.
   */
  readonly isOffered: boolean;
}

/** A button whose dialog refunds an order. */
export function RefundDialog({ page, isOffered }: RefundDialogProps) {
  const texts = useTexts(REFUND_TEXTS);
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      {isOffered && (
        <Button className="button" onPress={() => setOpen(true)}>
          {texts.refund}
        </Button>
      )}
      <AppDialog title={texts.title} isOpen={isOpen} onClose={close} isBusy={isBusy}>
        <RefundForm page={page} onClose={close} onBusy={setBusy} />
      </AppDialog>
    </>
  );
}
