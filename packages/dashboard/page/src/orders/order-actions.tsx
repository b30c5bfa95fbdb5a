import { useTexts } from "../language/catalogue.js";
import { useMay } from "../session/session-context.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { ORDERS_TEXTS } from "./messages.js";
import { type OrderPage, useAcknowledgement, useOrderAction } from "./queries.js";
import { RefundDialog } from "./refund-dialog.js";

function isUnreported({ shipment }: OrderPage): boolean {
  return shipment !== undefined && shipment.state !== "reported";
}

/** What the operator may do with the order. The server decides again. */
export function OrderActions({ page }: { readonly page: OrderPage }) {
  const texts = useTexts(ORDERS_TEXTS);
  const may = useMay();
  const { appId, bizNo, paymentStatus } = page.order;
  const key = { appId, bizNo };
  const sync = useOrderAction(key, "sync");
  const close = useOrderAction(key, "close");
  const report = useOrderAction(key, "report-shipment");
  const acknowledge = useAcknowledgement(page);
  return (
    <>
      {may("order.sync") && (
        <ReasonDialog action={texts.sync} title={texts.syncTitle} change={sync}>
          <p>{texts.syncHelp}</p>
        </ReasonDialog>
      )}
      {may("order.close") && paymentStatus === "PENDING" && (
        <ReasonDialog action={texts.close} title={texts.closeTitle} change={close}>
          <p>{texts.closeHelp}</p>
        </ReasonDialog>
      )}
      {may("order.report-shipment") && paymentStatus === "PAID" && isUnreported(page) && (
        <ReasonDialog action={texts.report} title={texts.reportTitle} change={report}>
          <p>{texts.reportHelp}</p>
        </ReasonDialog>
      )}
      {may("order.acknowledge") && page.openAlarms > 0 && (
        <ReasonDialog action={texts.acknowledge} title={texts.acknowledgeTitle} change={acknowledge}>
          <p>{texts.acknowledgeHelp}</p>
        </ReasonDialog>
      )}
      {may("refund.request") && (
        <RefundDialog page={page} isOffered={page.remaining > 0 && paymentStatus === "PAID"} />
      )}
    </>
  );
}
