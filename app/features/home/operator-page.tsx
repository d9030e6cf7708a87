import type { ReactNode } from 'react'

/** A page of text that the owner or the operator writes. */
export function OperatorPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="column max-w-3xl py-10 md:py-14">
      <h1 className="title mb-8">{title}</h1>
      {children}
    </div>
  )
}
