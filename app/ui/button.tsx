import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { useHydrated } from './use-hydrated'

const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-5 py-2.5 text-center font-semibold leading-tight no-underline transition-[background-color,border-color,translate] duration-150 ease-settle active:translate-y-px disabled:cursor-not-allowed disabled:opacity-60'

const variants = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface text-ink hover:border-ink',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
} as const

type VariantProps = { variant?: keyof typeof variants }

export function Button({
  variant = 'primary',
  type = 'button',
  className = '',
  disabled = false,
  ...rest
}: ComponentProps<'button'> & VariantProps) {
  const waits = useWaitsForScript(type, rest.popoverTarget)
  return (
    <button
      type={type}
      disabled={disabled || waits}
      className={`${shape} ${variants[variant]} ${className}`}
      {...rest}
    />
  )
}

/** Until the page's script runs, only buttons that submit a form or open a popover do anything. */
export function useWaitsForScript(
  type: ComponentProps<'button'>['type'],
  popoverTarget: string | undefined,
): boolean {
  const hydrated = useHydrated()
  return !hydrated && type === 'button' && popoverTarget === undefined
}

export function ButtonLink({
  variant = 'primary',
  className = '',
  ...rest
}: ComponentProps<typeof Link> & VariantProps) {
  return <Link className={`${shape} ${variants[variant]} ${className}`} {...rest} />
}
