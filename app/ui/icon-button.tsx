import type { ComponentProps, ReactNode } from 'react'
import { useWaitsForScript } from './button'

const variants = {
  quiet: 'rounded-control text-muted hover:bg-sunken hover:text-ink',
  framed: 'rounded-control border border-line text-muted hover:border-ink hover:text-ink',
  round: 'rounded-full border border-edge bg-surface hover:border-ink',
  onVideo: 'rounded-control outline-white hover:bg-white/15',
} as const

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** The accessible name. */
  label: string
  variant?: keyof typeof variants
  children: ReactNode
}

/** A button with an icon instead of text. */
export function IconButton({
  label,
  variant = 'quiet',
  className = '',
  disabled = false,
  children,
  ...rest
}: IconButtonProps) {
  const waits = useWaitsForScript(rest.type ?? 'button', rest.popoverTarget)
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled || waits}
      className={`grid size-11 shrink-0 place-items-center aria-disabled:cursor-not-allowed aria-disabled:opacity-40 disabled:cursor-not-allowed disabled:opacity-60 [&_svg]:pointer-events-none ${variants[variant]} ${className}`}
      {...rest}
    >
      {children}
    </button>
  )
}
