import { useTexts } from "../language/catalogue.js";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useMay } from "../session/session-context.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { REFUND_LIST_TEXTS } from "./list-messages.js";

const PATH = "/api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync";
const OPEN: ReadonlySet<string> = new Set(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL"]);

type SyncRefundProps = Pick<Schema<"RefundOfOrder">, "appId" | "bizNo" | "refundNo" | "status">;

/** The button that queries the wallet about a refund. Renders nothing for an ended refund. */
export function SyncRefund({ appId, bizNo, refundNo, status }: SyncRefundProps) {
  const texts = useTexts(REFUND_LIST_TEXTS);
  const may = useMay();
  const sync = useChange(PATH, { path: { appId, bizNo, refundNo } }, (reason: string) => ({ reason }));
  if (!OPEN.has(status) || !may("refund.sync")) return null;
  return (
    <ReasonDialog action={texts.sync} title={texts.syncTitle(refundNo)} change={sync}>
      <p>{texts.syncHelp}</p>
    </ReasonDialog>
  );
}
