import { useState } from "react";
import { Button } from "react-aria-components";
import { writePathSegment } from "@tillkit/core/text";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useFile } from "../api/use-file.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay } from "../session/session-context.js";
import { Failure } from "../ui/failure.js";
import { Field } from "../ui/field.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { saveFile } from "../ui/save-file.js";
import { CUSTOMER_TEXTS } from "./messages.js";

interface CustomerActionsProps {
  readonly customer: Pick<Schema<"Customer">, "appId" | "customerIdentity" | "sessions">;
}

/** What an administrator does with the data and the phone numbers of a customer. */
export function CustomerActions({ customer }: CustomerActionsProps) {
  const may = useMay();
  return (
    <div className="actions">
      {may("customer.export") && <ExportCustomer customer={customer} />}
      {may("customer.move-number") && <MoveNumber customer={customer} />}
      {may("customer.detach-number") && <DetachNumber customer={customer} />}
      {may("customer.merge") && <MergeCustomer customer={customer} />}
      {may("customer.erase") && <EraseCustomer customer={customer} />}
    </div>
  );
}

function pathOf({ appId, customerIdentity }: CustomerActionsProps["customer"]) {
  return { path: { appId, customerIdentity } };
}

/** Stores everything about the customer as a file. */
function ExportCustomer({ customer }: CustomerActionsProps) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const segments = [customer.appId, customer.customerIdentity].map(writePathSegment);
  const loading = useFile(`/api/customers/${segments.join("/")}/export`, (file) =>
    saveFile(file, "customer.json"),
  );
  return (
    <>
      <Button className="button" onPress={() => loading.mutate({})} isPending={loading.isPending}>
        {texts.exportData}
      </Button>
      {loading.error !== null && <Failure error={loading.error} />}
    </>
  );
}

function MoveNumber({ customer }: CustomerActionsProps) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const move = useChange(
    "/api/customers/{appId}/{customerIdentity}/numbers/move",
    pathOf(customer),
    (reason: string) => ({ from, to, reason }),
    { isSecret: true },
  );
  const clear = () => {
    setFrom("");
    setTo("");
  };
  return (
    <ReasonDialog
      action={texts.moveNumber}
      title={texts.moveNumber}
      change={move}
      onOpen={clear}
      onClose={clear}
    >
      <p>{texts.moveHelp}</p>
      <Field label={texts.oldNumber} value={from} onChange={setFrom} maxLength={64} isRequired />
      <Field label={texts.newNumber} value={to} onChange={setTo} maxLength={64} isRequired />
    </ReasonDialog>
  );
}

function DetachNumber({ customer }: CustomerActionsProps) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const [mobileNo, setMobileNo] = useState("");
  const detach = useChange(
    "/api/customers/{appId}/{customerIdentity}/numbers/detach",
    pathOf(customer),
    (reason: string) => ({ mobileNo, reason }),
    { isSecret: true },
  );
  const clear = () => setMobileNo("");
  return (
    <ReasonDialog
      action={texts.detachNumber}
      title={texts.detachNumber}
      change={detach}
      onOpen={clear}
      onClose={clear}
    >
      <p>{texts.detachHelp}</p>
      <Field label={texts.phoneNumber} value={mobileNo} onChange={setMobileNo} maxLength={64} isRequired />
    </ReasonDialog>
  );
}

function MergeCustomer({ customer }: CustomerActionsProps) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const [into, setInto] = useState("");
  const merge = useChange(
    "/api/customers/{appId}/{customerIdentity}/merge",
    pathOf(customer),
    (reason: string) => ({ into, reason }),
  );
  return (
    <ReasonDialog
      action={texts.merge}
      title={texts.mergeTitle(customer.customerIdentity)}
      change={merge}
      onOpen={() => setInto("")}
    >
      <p>{texts.mergeHelp}</p>
      <Field label={texts.mergeInto} value={into} onChange={setInto} maxLength={255} isRequired />
    </ReasonDialog>
  );
}

/** Erases the customer after the identity was typed. */
function EraseCustomer({ customer }: CustomerActionsProps) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const language = useLanguage();
  const { customerIdentity } = customer;
  const [typed, setTyped] = useState("");
  const erase = useChange(
    "/api/customers/{appId}/{customerIdentity}/erase",
    pathOf(customer),
    (reason: string) => ({ reason, typedIdentity: typed }),
  );
  const done = erase.data;
  return (
    <>
      <ReasonDialog
        action={texts.erase}
        title={texts.eraseTitle(customerIdentity)}
        change={erase}
        onOpen={() => setTyped("")}
        isConfirmed={typed.trim() === customerIdentity.trim()}
        className="button danger"
      >
        <p>{texts.eraseHelp}</p>
        <Field label={texts.typeIdentity(customerIdentity)} value={typed} onChange={setTyped} isRequired />
      </ReasonDialog>
      {done !== undefined && (
        <p role="status">
          {texts.erased(formatNumber(done.orders, language), formatNumber(done.sessions, language))}{" "}
          {done.inFlight > 0 && texts.inFlight(formatNumber(done.inFlight, language))}
        </p>
      )}
    </>
  );
}

/** Ends one session of the customer, or all of them. */
export function EndSessions({ customer, sessionId }: CustomerActionsProps & { readonly sessionId?: string }) {
  const texts = useTexts(CUSTOMER_TEXTS);
  const may = useMay();
  const end = useChange(
    "/api/customers/{appId}/{customerIdentity}/sessions/end",
    pathOf(customer),
    (reason: string) => (sessionId === undefined ? { reason } : { reason, sessionId }),
  );
  if (!may("customer.end-sessions")) return null;
  const action = sessionId === undefined ? texts.endAll : texts.endOne;
  return (
    <ReasonDialog action={action} title={action} change={end}>
      <p>{texts.endHelp}</p>
    </ReasonDialog>
  );
}
