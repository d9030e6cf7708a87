import type { ComponentProps } from 'react'
import { Link } from './link'

const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-5 py-2.5 text-center font-semibold leading-tight no-underline transition-[background-color,border-color,translate] duration-150 ease-settle active:translate-y-px disabled:cursor-not-allowed disabled:opacity-60'

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-edge bg-surface text-ink hover:border-ink',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
} as const

type Look = { look?: keyof typeof looks }

export function Button({
  look = 'primary',
  type = 'button',
  className = '',
  ...rest
}: ComponentProps<'button'> & Look) {
  return <button type={type} className={`${shape} ${looks[look]} ${className}`} {...rest} />
}

export function ButtonLink({ look = 'primary', className = '', ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link className={`${shape} ${looks[look]} ${className}`} {...rest} />
}
