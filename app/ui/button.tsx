import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { useHydrated } from './hooks'

const buttonClasses =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-5 py-2.5 text-center font-semibold leading-tight no-underline transition-[background-color,border-color,translate] duration-150 ease-settle active:translate-y-px disabled:cursor-not-allowed disabled:opacity-60'

const variantClasses = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface text-ink hover:border-ink',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
} as const

type VariantProps = { variant?: keyof typeof variantClasses }

/**
 * A button. Until the page's script has run, it is disabled, unless it works without the script.
 */
export function Button({
  variant = 'primary',
  type = 'button',
  className = '',
  disabled = false,
  ...rest
}: ComponentProps<'button'> & VariantProps) {
  const isWaitingForScript = useIsWaitingForScript(type, rest.popoverTarget)
  return (
    <button
      type={type}
      disabled={disabled || isWaitingForScript}
      className={`${buttonClasses} ${variantClasses[variant]} ${className}`}
      {...rest}
    />
  )
}

/**
 * Returns whether a button does nothing yet because the page's script has not run. Buttons that
 * submit a form or open a popover work without the script.
 */
function useIsWaitingForScript(
  type: ComponentProps<'button'>['type'],
  popoverTarget: string | undefined,
): boolean {
  const isHydrated = useHydrated()
  return !isHydrated && type === 'button' && popoverTarget === undefined
}

/** A link that looks like a button. */
export function ButtonLink({
  variant = 'primary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & VariantProps) {
  return <Link className={`${buttonClasses} ${variantClasses[variant]} ${className}`} {...rest} />
}

const iconButtonVariantClasses = {
  quiet: 'rounded-control text-muted hover:bg-sunken hover:text-ink',
  framed: 'rounded-control border border-line text-muted hover:border-ink hover:text-ink',
  round: 'rounded-full border border-edge bg-surface hover:border-ink',
  onVideo: 'rounded-control outline-white hover:bg-white/15',
} as const

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** The accessible name. */
  label: string
  variant?: keyof typeof iconButtonVariantClasses
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
  const isWaitingForScript = useIsWaitingForScript(rest.type ?? 'button', rest.popoverTarget)
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled || isWaitingForScript}
      className={`grid size-11 shrink-0 place-items-center aria-disabled:cursor-not-allowed aria-disabled:opacity-40 disabled:cursor-not-allowed disabled:opacity-60 [&_svg]:pointer-events-none ${iconButtonVariantClasses[variant]} ${className}`}
      {...rest}
    >
      {children}
    </button>
  )
}
