import { type ReactNode, type RefObject, useId } from 'react'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/field'
import { captionSizes, type PlayerSettings, speeds } from './player-settings'
import type { Video } from './use-video'
import { videoKeys } from './video-keys'

const sizeNames: Record<PlayerSettings['captionSize'], string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  huge: 'Extra large',
}

type VideoSettingsProps = { dialog: RefObject<HTMLDialogElement | null>; video: Video; narrow: boolean }

/** Settings for all videos, and the controls that don't fit a narrow bar. */
export function VideoSettings({ dialog, video, narrow }: VideoSettingsProps) {
  const sizes = useId()
  const { settings, changeSettings } = video
  return (
    <PlayerDialog dialog={dialog} title="Video settings" width="w-[min(26rem,calc(100vw-2rem))]">
      {narrow && <SpeedField video={video} />}
      <fieldset className="mt-4">
        <legend className="font-semibold">Caption size</legend>
        {captionSizes.map((size) => (
          <label key={size} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name={sizes}
              checked={settings.captionSize === size}
              onChange={() => changeSettings(() => ({ captionSize: size, captions: true }))}
              className="size-5 shrink-0 accent-accent"
            />
            {sizeNames[size]}
          </label>
        ))}
      </fieldset>
      <label className="mt-3 flex min-h-11 items-center gap-3 border-line border-t pt-3">
        <input
          type="checkbox"
          checked={settings.goesOn}
          onChange={(event) => {
            const { checked } = event.target
            changeSettings(() => ({ goesOn: checked }))
          }}
          className="size-5 shrink-0 accent-accent"
        />
        Autoplay: the next lesson starts after a countdown
      </label>
      {narrow && document.pictureInPictureEnabled && (
        <Button
          look="secondary"
          className="mt-3 w-full"
          onClick={() => {
            dialog.current?.close()
            video.togglePictureInPicture()
          }}
        >
          {video.state.pictureInPicture ? 'Exit picture in picture' : 'Picture in picture'}
        </Button>
      )}
    </PlayerDialog>
  )
}

function SpeedField({ video: { settings, changeSettings } }: { video: Video }) {
  return (
    <SelectField
      label="Speed"
      className="mt-4"
      value={settings.speed}
      onChange={(event) => changeSettings(() => ({ speed: Number(event.target.value) }))}
    >
      {speeds.map((speed) => (
        <option key={speed} value={speed}>
          {speed}×
        </option>
      ))}
    </SelectField>
  )
}

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

type PlayerDialogProps = {
  dialog: RefObject<HTMLDialogElement | null>
  title: string
  width: string
  children: ReactNode
}

/** A dialog over the video that only its Close button, Escape or the player ends. */
function PlayerDialog({ dialog, title, width, children }: PlayerDialogProps) {
  const titleId = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`m-auto ${width} rounded-card border border-line bg-surface p-6 text-ink shadow-raised backdrop:bg-black/60`}
    >
      <h2 id={titleId} className="text-xl font-bold">
        {title}
      </h2>
      {children}
      <form method="dialog" className="mt-4 text-right">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  )
}
