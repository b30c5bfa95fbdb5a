import { useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language/catalogue.js";
import { AppDialog } from "../ui/app-dialog.js";
import { REFUND_TEXTS } from "./refund-messages.js";
import { RefundForm } from "./refund-form.js";
import type { OrderPage } from "./queries.js";

interface RefundDialogProps {
  readonly page: OrderPage;
  /** Whether the order can be refunded. An open dialog stays, to show the outcome. */
  readonly isOffered: boolean;
}

/** A button whose dialog refunds an order. */
export function RefundDialog({ page, isOffered }: RefundDialogProps) {
  const texts = useTexts(REFUND_TEXTS);
  const [refundNo, setRefundNo] = useState<string>();
  const close = () => setRefundNo(undefined);
  return (
    <>
      {isOffered && (
        <Button className="button" onPress={() => setRefundNo(newRefundNo())}>
          {texts.refund}
        </Button>
      )}
      <AppDialog title={texts.title} isOpen={refundNo !== undefined} onClose={close} isLocked>
        {refundNo !== undefined && <RefundForm page={page} refundNo={refundNo} onClose={close} />}
      </AppDialog>
    </>
  );
}

/**
 * Creates the number of a refund when its dialog opens.
 *
 * It stays the same until the dialog closes, so that a second press cannot refund twice.
 */
function newRefundNo(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `op-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
