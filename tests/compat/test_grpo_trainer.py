"""TRL's own GRPOTrainer with a reward function, on a tiny model with random weights: no network, no files."""

from __future__ import annotations

import statistics

import pytest

from material.optional import missing
from material.with_torch import torch_or_skip
from understudy.compat.trl import MetricReward

PACKAGES = ("trl", "transformers", "tokenizers", "datasets")
SPECIAL = ["<pad>", "<eos>", "<unk>"]
WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran"]
SAMPLES = [
    {"prompt": "cat", "reference": ["the cat sat on a mat", "a cat sat on the mat"]},
    {"prompt": "dog", "reference": ["the dog ran on a mat"]},
    {"prompt": "mat", "reference": None},  # its reward is that of the other function alone
]


@pytest.mark.filterwarnings("ignore")  # of other packages
def test_the_reward_of_a_model_rises(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    torch = torch_or_skip()
    trl, transformers, tokenizers, datasets = (
        pytest.importorskip(package, reason=missing(*PACKAGES)) for package in PACKAGES
    )
    vocabulary = {word: number for number, word in enumerate(SPECIAL + WORDS)}
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )
    torch.manual_seed(0)
    sizes = {"n_positions": 16, "n_embd": 32, "n_layer": 1, "n_head": 2}
    no_dropout = {"resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}
    tokens = {"vocab_size": len(vocabulary), "bos_token_id": 1, "eos_token_id": 1, "pad_token_id": 0}
    seen = []

    def length(completions, **passed):
        """A second function, and a look at what TRL passes."""
        seen.append(set(passed))
        return [0.1 * min(len(text.split()), 6) for text in completions]

    configuration = transformers.GPT2Config(**sizes, **no_dropout, **tokens)
    trainer = trl.GRPOTrainer(
        model=transformers.GPT2LMHeadModel(configuration),
        reward_funcs=[MetricReward(metric="chrf"), length],
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=48,
            num_generations=16,
            max_completion_length=6,
            learning_rate=1e-2,
            lr_scheduler_type="constant",
            max_steps=25,
            logging_steps=1,
            beta=0.0,
            seed=0,
            use_cpu=True,
            dataloader_pin_memory=False,
            report_to="none",
            save_strategy="no",
            disable_tqdm=True,
        ),
        train_dataset=datasets.Dataset.from_list(SAMPLES * 40),
        processing_class=tokenizer,
    )
    trainer.train()
    logged = [entry["rewards/chrf/mean"] for entry in trainer.state.log_history if "reward" in entry]
    assert len(logged) == 25
    assert statistics.mean(logged[-5:]) > statistics.mean(logged[:2]) + 0.03, logged
    assert {"reference", "prompts", "completion_ids", "trainer_state", "log_extra", "log_metric"} == seen[0]
