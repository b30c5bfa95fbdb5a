import { type ReactNode, useEffect } from "react";

interface PageTitleProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The heading of a view, with its actions. It also names the browser's tab. */
export function PageTitle({ title, children }: PageTitleProps) {
  useEffect(() => {
    document.title = `${title} · Tillkit`;
  }, [title]);
  return (
    <div className="page-title">
      <h1>{title}</h1>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  );
}
