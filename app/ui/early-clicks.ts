import { useEffect } from 'react'

declare global {
  interface Window {
    /** Made by `earlyClicksScript`. */
    releaseEarlyClicks?: () => void
  }
}

/** After this long, links and forms work as they do without scripts. */
const patienceMs = 8000

/**
 * Runs before anything can be pressed; the page's policy allows it by its hash. Until the page's own script has taken
 * over, a press on what needs it is held back, so that no press is lost: buttons that only a script answers, and whatever
 * says `data-needs-script` because its way without one is a detour.
 */
export const earlyClicksScript = `(()=>{const held=[];const hold=e=>{const t=e.target.closest('button[type=button]:not([popovertarget]),[data-needs-script]');if(!t||e.button||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey)return;e.preventDefault();e.stopPropagation();held.push(t)};const release=()=>{removeEventListener('click',hold,true);for(const t of held.splice(0))if(t.isConnected)t.click()};addEventListener('click',hold,true);window.releaseEarlyClicks=release;setTimeout(release,${patienceMs})})()`

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
