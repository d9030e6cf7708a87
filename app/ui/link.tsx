import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'react-router'

type LinkProps = Omit<
  ComponentProps<typeof RouterLink>,
  'discover' | 'mask' | 'relative' | 'viewTransition' | 'defaultShouldRevalidate'
>

/**
 * A link to another page. On the server nobody can press it: there an address from the root is written as it is, without the
 * hooks of the router's own link.
 */
export function Link({ prefetch, preventScrollReset, reloadDocument, replace, state, ...rest }: LinkProps) {
  if (import.meta.env.SSR && typeof rest.to === 'string' && rest.to.startsWith('/')) {
    const { to, ...attributes } = rest
    return <a {...attributes} href={to} />
  }
  const way = { prefetch, preventScrollReset, reloadDocument, replace, state }
  return <RouterLink {...rest} {...way} discover="none" />
}
