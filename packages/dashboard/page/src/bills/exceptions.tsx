import { useEffect, useRef, useState } from "react";
import { areReadable } from "../filters/filter-reader.js";
import { FILTER_TEXTS } from "../filters/messages.js";
import { UnreadableFilters } from "../filters/unreadable-filters.js";
import { useTexts } from "../language/catalogue.js";
import { formatCount } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay, useSession } from "../session/session-context.js";
import { Loaded } from "../ui/loaded.js";
import { Pages } from "../ui/pages.js";
import { ExceptionCard } from "./exception-card.js";
import type { ExceptionFilterState } from "./exception-filter-form.js";
import { BILLS_TEXTS } from "./messages.js";
import { type BillException, useExceptions } from "./queries.js";
import { ResolveSeveral } from "./resolve-several.js";

interface ExceptionsProps extends Pick<ExceptionFilterState, "filters" | "problems"> {
  readonly before: string | undefined;
}

/** A page of exceptions, newest first. */
export function Exceptions({ filters, problems, before }: ExceptionsProps) {
  const texts = useTexts(BILLS_TEXTS);
  const isReadable = areReadable(problems);
  const query = useExceptions({ ...filters, ...(before === undefined ? {} : { before }) }, isReadable);
  if (!isReadable) return <UnreadableFilters />;
  const { state = "OPEN", ...others } = filters;
  const isWhole = before === undefined && Object.keys(others).length === 0;
  return (
    <>
      <Loaded query={query}>
        {({ items, older, total }) => (
          <Cards
            items={items}
            total={total}
            state={state}
            areOlderLeft={older !== undefined}
            isAllDone={isWhole && state === "OPEN"}
          />
        )}
      </Loaded>
      <Pages label={texts.list} before={before} older={query.data?.older} />
    </>
  );
}

interface CardsProps {
  readonly items: readonly BillException[];
  readonly total: { readonly count: number; readonly isLeast: boolean };
  readonly state: string;
  readonly areOlderLeft: boolean;
  /** Whether an empty list means that no exception is open. */
  readonly isAllDone: boolean;
}

/** The exceptions of a page. After an exception is resolved, the next exception gets the focus. */
function Cards({ items, total, state, areOlderLeft, isAllDone }: CardsProps) {
  const texts = useTexts(BILLS_TEXTS);
  const language = useLanguage();
  const may = useMay();
  const isUnlimited = useSession().operator?.apps === undefined;
  const mayChange = state === "OPEN" && isUnlimited;
  const mayResolve = mayChange && may("bill-exception.resolve");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shownIds = items.map(({ id }) => id);
  const chosenHere = shownIds.filter((id) => chosen.has(id));
  const { container, leave } = useFocusOnNext(shownIds);
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  return (
    <div ref={container}>
      <p className="muted count" role="status">
        {texts.total(formatCount(total, language))}
      </p>
      {mayResolve && items.length > 0 && (
        <ResolveSeveral
          ids={chosenHere}
          isAll={chosenHere.length === shownIds.length}
          onChooseAll={(isChosen) => setChosen(new Set(isChosen ? shownIds : []))}
          onDone={() => {
            leave(chosenHere);
            setChosen(new Set());
          }}
        />
      )}
      {items.length === 0 && <NoExceptions areOlderLeft={areOlderLeft} isAllDone={isAllDone} />}
      {items.map((exception) => (
        <ExceptionCard
          key={exception.id}
          exception={exception}
          {...(mayResolve && {
            isChosen: chosen.has(exception.id),
            onChoose: (isChosen: boolean) => choose(exception.id, isChosen),
          })}
          {...(mayChange && { onDone: () => leave([exception.id]) })}
        />
      ))}
    </div>
  );
}

function NoExceptions({ areOlderLeft, isAllDone }: Pick<CardsProps, "areOlderLeft" | "isAllDone">) {
  const texts = useTexts(BILLS_TEXTS);
  const filters = useTexts(FILTER_TEXTS);
  if (areOlderLeft) return <p>{filters.noneYet}</p>;
  return (
    <div className="empty" tabIndex={-1} data-card="">
      <p>{isAllDone ? texts.allDone : texts.none}</p>
      <p className="muted">{isAllDone ? texts.allDoneHelp : texts.noneHelp}</p>
    </div>
  );
}

/**
 * Moves the focus to the next card once the list no longer contains a card that was dealt with.
 *
 * The cards have the attribute `data-card`, with their ids.
 */
function useFocusOnNext(ids: readonly string[]) {
  const container = useRef<HTMLDivElement>(null);
  /** The ids of the cards that were dealt with, and of the card that gets the focus next. */
  const left = useRef<{ readonly gone: readonly string[]; readonly next: string | undefined }>(undefined);
  const leave = (gone: readonly string[]) => {
    const last = Math.max(...gone.map((id) => ids.indexOf(id)));
    const others = ids.filter((id) => !gone.includes(id));
    const next = ids.slice(last + 1).find((id) => !gone.includes(id)) ?? others.at(-1);
    left.current = { gone, next };
  };
  useEffect(() => {
    const { gone, next } = left.current ?? {};
    if (gone === undefined || ids.some((id) => gone.includes(id))) return undefined;
    left.current = undefined;
    // The dialog returns the focus to its button first, which no longer exists.
    const timer = setTimeout(() => {
      const cards = [...(container.current?.querySelectorAll<HTMLElement>("[data-card]") ?? [])];
      (cards.find((card) => card.dataset["card"] === next) ?? cards[0])?.focus();
    }, 50);
    return () => clearTimeout(timer);
  }, [ids]);
  return { container, leave };
}
