import { Children, cloneElement, Fragment, isValidElement, type LinkHTMLAttributes, type ReactNode } from 'react'
import { Scripts } from 'react-router'

/**
 * React Router's scripts at low priority: the first paint needs the style sheet and the font, and on a slow line the scripts
 * would take half of it.
 */
export function ScriptsAfterPaint() {
  return atLowPriority(Scripts({}))
}

function atLowPriority(node: ReactNode): ReactNode {
  return Children.map(node, (child) => {
    if (!isValidElement<LinkHTMLAttributes<unknown>>(child)) return child
    if (child.type === Fragment) return atLowPriority(child.props.children)
    return child.type === 'link' ? cloneElement(child, { fetchPriority: 'low' }) : child
  })
}
