import type { ReactNode } from "react";
import { PageTitle } from "../ui/page-title.js";

/** The frame of every step of signing in. */
export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="card" id="main">
      <p className="card-brand">Tillkit</p>
      <PageTitle title={title} />
      {children}
    </main>
  );
}
