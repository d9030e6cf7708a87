import { useEffect } from 'react'

declare global {
  interface Window {
    /** Made by `earlyClicksScript`. */
    releaseEarlyClicks?: () => void
  }
}

/** After this long, links and forms work as they do without scripts. */
const patienceMs = 8000

/** What only a script answers. */
const buttons = 'button[type=button]:not([popovertarget])'
/** What works without one, too, by a detour. */
const detours = '[data-needs-script]'

/**
 * Runs before anything can be pressed; the page's policy allows it by its hash. Until the page's own script has taken
 * over, a press on what needs it is held back, so that no press is lost.
 */
export const earlyClicksScript = `(()=>{const held=[];let waiting='${buttons},${detours}';const hold=e=>{const t=e.target.closest(waiting);if(!t||e.button||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey)return;e.preventDefault();e.stopPropagation();held.push(t)};const press=t=>{if(t.isConnected)t.click()};window.releaseEarlyClicks=()=>{removeEventListener('click',hold,true);held.splice(0).forEach(press)};addEventListener('click',hold,true);setTimeout(()=>{waiting='${buttons}';for(const t of held.splice(0))if(t.matches(waiting))held.push(t);else press(t)},${patienceMs})})()`

/**
 * To be used once, at the root: lets happen what was pressed before, and marks the document as `data-hydrated`, which
 * journeys and an operator's probes wait for.
 */
export function useEarlyClicks(): void {
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
    window.releaseEarlyClicks?.()
  }, [])
}
