import { type ReactNode, type RefObject, useId } from 'react'
import { Button } from '~/ui/button'

type PlayerDialogProps = {
  dialog: RefObject<HTMLDialogElement | null>
  title: string
  width: string
  children: ReactNode
}

/** A dialog over the video that only its Close button, Escape or the player ends. */
export function PlayerDialog({ dialog, title, width, children }: PlayerDialogProps) {
  const titleId = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`m-auto ${width} rounded-card border border-line bg-surface p-6 text-ink shadow-raised backdrop:bg-black/60`}
    >
      <h2 id={titleId} className="text-xl font-bold">
        {title}
      </h2>
      {children}
      <form method="dialog" className="mt-4 text-right">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  )
}
