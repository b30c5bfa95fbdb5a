import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useChannelName } from "../ui/channel.js";
import { type Column, DataTable, type PhonePlace } from "../ui/data-table.js";
import { TODAY_TEXTS } from "./messages.js";

type Call = NonNullable<Schema<"Today">["walletCalls"]>[number];

/** How the wallets answered, and how fast. */
export function WalletCalls({ calls }: { readonly calls: readonly Call[] }) {
  const texts = useTexts(TODAY_TEXTS);
  const language = useLanguage();
  const channelName = useChannelName();
  const number = (id: "ok" | "rejected" | "unknown", place: PhonePlace): Column<Call> => ({
    id,
    header: texts[id],
    isNumber: true,
    place,
    cell: (call) => (
      <>
        <span className="narrow-only">{texts[id]} </span>
        {formatNumber(call[id], language)}
      </>
    ),
  });
  const columns: readonly Column<Call>[] = [
    {
      id: "channel",
      header: texts.channel,
      place: "second",
      cell: ({ payChannel }) => channelName(payChannel),
    },
    {
      id: "call",
      header: texts.call,
      place: "first",
      cell: ({ call }) => <span className="mono">{call}</span>,
    },
    number("ok", "third"),
    number("rejected", "third"),
    number("unknown", "third-end"),
    {
      id: "p95",
      header: texts.p95,
      isNumber: true,
      place: "first-end",
      cell: ({ p95 }) => (
        <>
          <span className="narrow-only">{texts.p95} </span>
          {texts.milliseconds(formatNumber(p95, language))}
        </>
      ),
    },
  ];
  return (
    <section aria-labelledby="calls">
      <h2 id="calls">{texts.calls}</h2>
      <DataTable
        label={texts.calls}
        columns={columns}
        rows={calls}
        empty={<p>{texts.noCalls}</p>}
        rowId={({ payChannel, call }) => `${payChannel} ${call}`}
      />
    </section>
  );
}
