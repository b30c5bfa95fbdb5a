import { type ReactNode, useEffect } from "react";
import { focusView, MAIN_ID } from "../app/focus.js";

interface PageTitleProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The heading of a view, with its actions. It also names the browser's tab. */
export function PageTitle({ title, children }: PageTitleProps) {
  useEffect(() => {
    document.title = `${title} · Tillkit`;
  }, [title]);
  useEffect(() => {
    // The operator went to this view before its heading was there.
    if (document.activeElement?.id === MAIN_ID) focusView();
  }, []);
  return (
    <div className="page-title">
      <h1 tabIndex={-1}>{title}</h1>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  );
}
