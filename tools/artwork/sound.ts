/** A quiet tone pad under a video: one soft chord a scene, in a key of the course's own. */
import { random } from './svg.ts'

const rate = 24000
/** Semitones above the key's root; open voicings, none of which wants to resolve. */
const chords: readonly (readonly number[])[] = [
  [0, 7, 12, 16, 19],
  [-3, 4, 12, 16, 19],
  [5, 12, 16, 21, 24],
  [-5, 2, 11, 14, 19],
]

/** @returns a 16-bit mono WAV file. */
export function padSound(sceneSeconds: readonly number[], seed: string): Buffer {
  const total = sceneSeconds.reduce((sum, seconds) => sum + seconds, 0)
  const root = 110 * 2 ** (Math.floor(random(seed)() * 6) / 12)
  const samples = new Float64Array(Math.round(total * rate))
  const blend = 1.2
  let start = 0
  sceneSeconds.forEach((seconds, scene) => {
    const [from, to] = [
      Math.max(0, start - blend / 2),
      Math.min(total, start + seconds + blend / 2),
    ]
    chords[scene % chords.length]?.forEach((semitones, voice) => {
      const frequency = root * 2 ** (semitones / 12)
      for (let i = Math.round(from * rate); i < Math.round(to * rate); i++) {
        const time = i / rate
        const swell = Math.min(1, (time - from) / blend, (to - time) / blend)
        const breath = 0.8 + 0.2 * Math.sin(2 * Math.PI * (0.11 + voice * 0.03) * time + voice)
        const tone =
          Math.sin(2 * Math.PI * frequency * time) +
          0.5 * Math.sin(2 * Math.PI * frequency * 1.0025 * time)
        samples[i] =
          (samples[i] ?? 0) +
          (tone * breath * Math.sin((Math.max(0, swell) * Math.PI) / 2) * 0.022) /
            (1 + voice * 0.35)
      }
    })

    start += seconds
  })
  const wav = Buffer.alloc(44 + samples.length * 2)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + samples.length * 2, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples.length * 2, 40)
  samples.forEach((sample, i) => {
    const time = i / rate
    const fade = Math.min(1, time / 1.5, (total - time) / 2)
    wav.writeInt16LE(Math.round(sample * fade * 32767), 44 + i * 2)
  })

  return wav
}
