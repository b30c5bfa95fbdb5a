import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { isDialogOpen } from "../ui/open-dialogs.js";
import { SEARCH_BOX_ID } from "./focus.js";
import { hasLetterKeys } from "./letter-keys.js";

/** How long `g` waits for the second key, in milliseconds. */
const SECOND_KEY = 1_000;

/** Listens to the keys of the page, except while the operator types or a dialog is open. */
export function useShortcuts(openHelp: () => void): void {
  const navigate = useNavigate();
  const prefix = useRef(-Infinity);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (isDialogOpen()) return;
      if (!hasLetterKeys()) return;
      const isSecond = event.timeStamp - prefix.current < SECOND_KEY;
      prefix.current = event.key === "g" ? event.timeStamp : -Infinity;
      if (isSecond && event.key === "o") void navigate({ to: "/orders" });
      else if (isSecond && event.key === "t") void navigate({ to: "/today" });
      else if (event.key === "/") document.getElementById(SEARCH_BOX_ID)?.focus();
      else if (event.key === "?") openHelp();
      else if (event.key === "j") moveRow(1);
      else if (event.key === "k") moveRow(-1);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, openHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [role=dialog]") !== null;
}

function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll("main tbody tr")].flatMap((row) => {
    const link = row.querySelector("a, button");
    return link instanceof HTMLElement ? [link] : [];
  });
  const current = rows.findIndex((link) => link.closest("tr")?.contains(document.activeElement) === true);
  const next = current < 0 ? (by > 0 ? 0 : rows.length - 1) : current + by;
  rows[next]?.focus();
}
