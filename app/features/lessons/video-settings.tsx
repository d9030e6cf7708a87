import { type RefObject, useId } from 'react'
import { Button } from '~/ui/button'
import { SelectField } from '~/ui/field'
import { speeds } from './playback-speeds'
import { PlayerDialog } from './player-dialog'
import { captionSizes, type PlayerSettings } from './player-settings'
import type { Video } from './use-video'

const sizeNames: Record<PlayerSettings['captionSize'], string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  huge: 'Extra large',
}

type VideoSettingsProps = { dialog: RefObject<HTMLDialogElement | null>; video: Video; narrow: boolean }

/** What is chosen once for all videos, and what a narrow bar has no room for. */
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
