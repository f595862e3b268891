package dev.sluice.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * The objects of one Kafka cluster that Strimzi runs, with one broker; no operator acts on them.
 */
final class SimStrimzi {

  static final String CLUSTER = "mine";
  static final String POD = "mine-broker-7";
  static final int SERVER = 7;

  private final KubernetesClient admin;

  SimStrimzi(KubernetesClient admin) {
    this.admin = admin;
  }

  /** The Kafka resource, and whether its operator is paused. */
  void kafka(boolean paused) {
    var kafka =
        object(
            """
            apiVersion: kafka.strimzi.io/v1beta2
            kind: Kafka
            metadata:
              name: mine
              namespace: kafka
              annotations: { strimzi.io/pause-reconciliation: "%s" }
            """
                .formatted(paused));
    admin
        .genericKubernetesResources(kafka.getApiVersion(), kafka.getKind())
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(kafka)
        .createOr(io.fabric8.kubernetes.client.dsl.NonDeletingOperation::update);
  }

  /** A pod set that wants its pod to be of the second revision, and its pod of the first. */
  void brokers() {
    var set =
        object(
            """
            apiVersion: core.strimzi.io/v1beta2
            kind: StrimziPodSet
            metadata:
              name: mine-broker
              namespace: kafka
              labels: { strimzi.io/cluster: mine }
              annotations: { sluice.dev/restart: "2020-01-01T00:00:00Z" }
            spec:
              pods:
                - metadata:
                    name: mine-broker-7
                    labels: { strimzi.io/cluster: mine, strimzi.io/broker-role: "true" }
                    annotations: { strimzi.io/revision: two }
            """);
    var made =
        admin
            .genericKubernetesResources(set.getApiVersion(), set.getKind())
            .inNamespace(SimKubelet.NAMESPACE)
            .resource(set)
            .create();
    admin
        .pods()
        .inNamespace(SimKubelet.NAMESPACE)
        .resource(pod(made.getMetadata().getUid()))
        .create();
  }

  private static Pod pod(String owner) {
    var pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: mine-broker-7
              namespace: kafka
              labels: { strimzi.io/cluster: mine, strimzi.io/broker-role: "true" }
              annotations: { strimzi.io/revision: one }
            status:
              phase: Running
              conditions: [ { type: Ready, status: "True" } ]
              containerStatuses:
                - name: kafka
                  image: example.invalid/kafka:1
                  imageID: ""
                  ready: true
                  restartCount: 0
                  state: { running: { startedAt: "2026-01-01T00:00:00Z" } }
            """,
            Pod.class);
    return new PodBuilder(pod)
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion("core.strimzi.io/v1beta2")
        .withKind(Kinds.STRIMZI_POD_SET)
        .withName("mine-broker")
        .withUid(owner)
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static GenericKubernetesResource object(String yaml) {
    return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
  }
}
