import { type ReactNode, useEffect } from "react";
import { focusView, MAIN_ID } from "../app/focus.js";

interface PageTitleProps {
  readonly title: string;
  /** What stands beside the title, such as a state. */
  readonly beside?: ReactNode;
  /** The actions at the end of the line. */
  readonly children?: ReactNode;
}

/** The heading of a view, with its actions. It also names the browser's tab. */
export function PageTitle({ title, beside, children }: PageTitleProps) {
  useEffect(() => {
    document.title = `${title} · Tillkit`;
  }, [title]);
  useEffect(() => {
    // The operator went to this view before its heading was rendered.
    if (document.activeElement?.id === MAIN_ID) focusView();
  }, []);
  return (
    <div className="page-title">
      <div className="title">
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  );
}
