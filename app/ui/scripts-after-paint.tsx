import { Children, isValidElement, type ReactElement, type ReactNode, use } from 'react'
import { Scripts } from 'react-router'
import { ScriptNonce } from './script-nonce'

/** Where no paint is reported: after the page has loaded, in milliseconds. */
const patienceMs = 1000

/**
 * Starts the script that stands before it, whose type keeps browsers from running it, and asks for all of its modules at
 * once. The page's policy allows the copy by the same hash.
 */
const startAfterPaintScript = `(()=>{const held=document.currentScript.previousElementSibling;let begun=false;const add=(tag,properties)=>document.head.append(Object.assign(document.createElement(tag),properties));const begin=()=>{if(begun)return;begun=true;for(const href of held.dataset.modules.split(' '))add('link',{rel:'modulepreload',href});add('script',{type:'module',textContent:held.textContent})};if(document.hidden)return begin();addEventListener('visibilitychange',begin);addEventListener('load',()=>setTimeout(begin,${patienceMs}));new PerformanceObserver(list=>{if(list.getEntriesByName('first-contentful-paint')[0])begin()}).observe({type:'paint',buffered:true})})()`

/**
 * React Router's scripts, asked for only after the first paint: it needs the style sheet and the font, and on a slow line
 * the scripts would take most of it.
 *
 * @param except for a page whose scripts come at once: nothing may be answered or typed there before they keep it.
 */
export function ScriptsAfterPaint({ except }: { except: boolean }) {
  const nonce = use(ScriptNonce)
  const scripts = Scripts({})
  if (except) return scripts
  const elements = listElements(scripts)
  const modules = elements.flatMap(({ type, props }) => (type === 'link' ? [props.href] : []))
  return elements.map((element) => {
    if (element.type === 'link') return null
    if (element.props.type !== 'module') return element
    return [
      <script {...element.props} key="held" type="text/plain" async={undefined} data-modules={modules.join(' ')} />,
      <script key="start" nonce={nonce} suppressHydrationWarning>
        {startAfterPaintScript}
      </script>,
    ]
  })
}

type LinkOrScript = ReactElement<{ href: string; type?: string; children?: ReactNode }>

function listElements(node: ReactNode): LinkOrScript[] {
  return Children.toArray(node).flatMap((child) => {
    if (!isValidElement<LinkOrScript['props']>(child)) return []
    return typeof child.type === 'string' ? [child] : listElements(child.props.children)
  })
}
