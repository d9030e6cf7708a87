import type { RefObject } from 'react'
import { PlayerDialog } from './player-dialog'
import type { Video } from './use-video'
import { videoKeys } from './video-keys'

/** The list of keys, and the switch that takes them off the page. */
export function VideoShortcuts({ dialog, video }: { dialog: RefObject<HTMLDialogElement | null>; video: Video }) {
  const { settings, changeSettings } = video
  return (
    <PlayerDialog dialog={dialog} title="Keyboard shortcuts" width="w-[min(30rem,calc(100vw-2rem))]">
      <dl className="mt-4 grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
        {videoKeys.map(({ keys, command, meaning }) => (
          <div key={command} className="col-span-2 grid grid-cols-subgrid">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-lg border border-edge bg-sunken px-2 text-center font-sans text-sm font-semibold"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex min-h-11 items-center gap-3 border-line border-t pt-4">
        <input
          type="checkbox"
          checked={settings.pageKeys}
          onChange={(event) => changeSettings(() => ({ pageKeys: event.target.checked }))}
          className="size-5 shrink-0 accent-accent"
        />
        <span>Shortcuts work anywhere on the page, not just in the player</span>
      </label>
    </PlayerDialog>
  )
}
