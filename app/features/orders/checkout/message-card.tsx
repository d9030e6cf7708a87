import type { ReactNode } from 'react'

type MessageCardProps = {
  icon: ReactNode
  heading: string
  text: string
  /** The buttons below the text. */
  children: ReactNode
}

/** A page with one message, an icon above it, and buttons that lead on. */
export function MessageCard({ icon, heading, text, children }: MessageCardProps) {
  return (
    <div className="column py-14">
      <div className="card mx-auto max-w-xl p-6 text-center [overflow-wrap:anywhere] sm:p-8">
        <div
          aria-hidden="true"
          className="mx-auto mb-4 grid size-14 place-items-center rounded-full bg-accent-soft text-accent"
        >
          {icon}
        </div>
        <h1 className="font-bold text-2xl tracking-tight">{heading}</h1>
        <p className="mt-2 text-muted">{text}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">{children}</div>
      </div>
    </div>
  )
}
