import { decodeText, parseStrictJson } from "@tillkit/core/text";
import { useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import type { Schema } from "../api/routes.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useSession } from "../session/session-context.js";
import { Failure } from "../ui/failure.js";
import { Status } from "../ui/status.js";
import { AUDIT_TEXTS } from "./messages.js";

/** Checks the hash chain of the whole log when asked to. */
export function ChainCheck() {
  const texts = useTexts(AUDIT_TEXTS);
  const language = useLanguage();
  const { operator } = useSession();
  const check = useRead("/api/audit/check", {}, { isEnabled: false });
  // The chain contains the entries of all apps, so only operators of all apps may check it.
  if (operator?.apps !== undefined) return null;
  const { intactUpTo, brokenAt } = check.data ?? {};
  const number = (seq: number) => formatNumber(seq, language);
  return (
    <div className="toolbar">
      <Button className="button" onPress={() => void check.refetch()} isPending={check.isFetching}>
        {texts.check}
      </Button>
      <p role="status">
        {brokenAt !== undefined && <Status tone="bad">{texts.broken(number(brokenAt))}</Status>}
        {check.data !== undefined && brokenAt === undefined && (
          <Status tone="good">
            {intactUpTo === undefined ? texts.empty : texts.intact(number(intactUpTo.seq))}
          </Status>
        )}
      </p>
      {intactUpTo !== undefined && brokenAt === undefined && (
        <a className="button" download="audit-log-end.json" href={fileOf(intactUpTo)}>
          {texts.keepEnd}
        </a>
      )}
      <CompareEnd />
      {check.error !== null && <Failure error={check.error} />}
    </div>
  );
}

/** The last entry of a log, which an operator has stored in a file. */
interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

/** Returns the address of a file that contains the end of the chain. */
function fileOf(end: ChainEnd): string {
  return `data:application/json,${encodeURIComponent(JSON.stringify(end))}`;
}

/** The maximum size of a file with the end of a log, in bytes. */
const LARGEST_END = 4_096;

/** Compares the log with an end that was stored in a file. */
function CompareEnd() {
  const texts = useTexts(AUDIT_TEXTS);
  const [kept, setKept] = useState<ChainEnd | "unreadable">();
  const end = typeof kept === "object" ? kept : undefined;
  const query = end === undefined ? {} : { seq: String(end.seq), hash: end.hash };
  const compared = useRead("/api/audit/check", { query }, { isEnabled: end !== undefined });
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    setKept(
      (file.size <= LARGEST_END ? endIn(new Uint8Array(await file.arrayBuffer())) : undefined) ??
        "unreadable",
    );
  };
  return (
    <>
      <FileTrigger
        acceptedFileTypes={["application/json"]}
        onSelect={(files) => void read(files?.[0] ?? undefined)}
      >
        <Button className="button">{texts.compareEnd}</Button>
      </FileTrigger>
      <p role="status">
        {kept === "unreadable" && <Status tone="bad">{texts.unreadableEnd}</Status>}
        {end !== undefined && compared.data !== undefined && (
          <ComparedEnd seq={end.seq} check={compared.data} />
        )}
      </p>
      {end !== undefined && compared.error !== null && <Failure error={compared.error} />}
    </>
  );
}

interface ComparedEndProps {
  /** The number of the kept entry. */
  readonly seq: number;
  /** The check of the chain from this entry on. */
  readonly check: Schema<"AuditCheck">;
}

/** Whether the log still has the kept entry, and whether the chain is intact after it. */
function ComparedEnd({ seq, check: { brokenAt, intactUpTo } }: ComparedEndProps) {
  const texts = useTexts(AUDIT_TEXTS);
  const language = useLanguage();
  const number = (one: number) => formatNumber(one, language);
  if (brokenAt === seq) return <Status tone="bad">{texts.otherEnd(number(seq))}</Status>;
  return (
    <>
      <Status tone="good">{texts.sameEnd(number(seq))}</Status>{" "}
      {brokenAt !== undefined && <Status tone="bad">{texts.broken(number(brokenAt))}</Status>}
      {brokenAt === undefined && intactUpTo !== undefined && (
        <Status tone="good">{texts.intact(number(intactUpTo.seq))}</Status>
      )}
    </>
  );
}

/** Reads the end of a chain from a file. Returns `undefined` for another file. */
function endIn(bytes: Uint8Array): ChainEnd | undefined {
  const read = decodeText(bytes)
    .andThen((text) => parseStrictJson(text))
    .unwrapOr(undefined);
  if (typeof read !== "object" || read === null || !("seq" in read) || !("hash" in read)) return undefined;
  const { seq, hash } = read;
  return Number.isSafeInteger(seq) && typeof seq === "number" && typeof hash === "string"
    ? { seq, hash }
    : undefined;
}
